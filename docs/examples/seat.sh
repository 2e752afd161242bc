#!/bin/sh
# A seat in POSIX shell: it answers every request with the first choice.
# Play it with: riverbed watch --agent "stdio:cmd=sh docs/examples/seat.sh"
while IFS= read -r request; do
    printf '%s\n' "$request" | sed -n 's/.*"choices":\[{"id":\([0-9]*\).*/{"choice": \1}/p'
done
