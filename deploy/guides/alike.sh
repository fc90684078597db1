# Sourced by deploy/run-guides and deploy/same-transcript: whether what is printed in a guide is what a program printed.

# plain: what differs from run to run becomes a sign, on both sides: tokens, digests, times, numbers but for the status of
# HTTP and those of steps. Empty lines go.
plain() {
  perl -ne '
    s/\e\[[0-9;]*m//g; s/\s+/ /g; s/^ //; s/ $//; next if $_ eq "";
    s/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]/MONTH 0/g;
    s/\beyJ[\w.-]*/TOKEN/g; s/\bv1\.\w+\.[\w.-]*/TOKEN/g; s/\b[0-9a-f]{8,}\b/HEX/g; s/(?<![\w-])[\w-]{20,}(?![\w-])/SECRET/g;
    s/(\bHTTP [0-9]{3}\b|^[0-9]{3}$|^#?[0-9]+\. )|[0-9]+(?:\.[0-9]+)*/$1 || 0/ge;
    print "$_\n"'
}

# alike PRINTED SEEN: both plain. An ellipsis stands for anything, a line of nothing else for any lines.
alike() {
  local pattern=$1
  pattern=${pattern//\\/\\\\}
  pattern=${pattern//\*/\\*}
  pattern=${pattern//\?/\\?}
  pattern=${pattern//\[/\\[}
  pattern=${pattern//…/*}
  # shellcheck disable=SC2053 # it is a pattern
  [[ $2 == $pattern ]]
}
