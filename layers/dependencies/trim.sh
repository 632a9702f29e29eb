# Called by packages.mk beside it: sh trim.sh FOLDER ARCH < trim.txt
# Deletes in FOLDER what the list names, and fails if an entry matches nothing, so that the list stays true when a
# package changes.
set -eu
cd "$1"
failed=0
while read -r entry only || [ -n "$entry" ]; do
  case "$entry" in '' | '#'*) continue ;; esac
  case "$only" in
    '' | "$2") ;;
    arm64 | x86_64) continue ;;
    *) echo "trim.txt: '$only' after $entry is no processor's name" >&2; failed=1; continue ;;
  esac
  matched=0
  for path in $entry; do
    [ ! -e "$path" ] || { rm -r "$path"; matched=1; }
  done
  [ "$matched" = 1 ] || { echo "trim.txt: nothing is called $entry in the packages for $2" >&2; failed=1; }
done
exit "$failed"
