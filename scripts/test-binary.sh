#!/usr/bin/env bash
# go test runs each test binary through this (-exec), so that scripts/test.sh knows which ones run.
#
#   test-binary.sh ROOT EVENTS BINARY [FLAG...]
package=${PWD#"$1"/} events=$2
shift 2
began=$(date +%s)
echo "start $package $began" >>"$events"
status=0
"$@" || status=$?
echo "end $package $(($(date +%s) - began))" >>"$events"
exit "$status"
