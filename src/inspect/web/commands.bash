# ./dev web. A part of dev.

# Debian's npm cannot be installed beside the packages of others that bring node and npm.
run_web() {
  command -v npm >/dev/null || need nodejs npm
  TACT_WEB=required step page build/web.log src/inspect/web/build build/web
}
