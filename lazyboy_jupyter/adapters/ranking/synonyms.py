"""Owns a small thesaurus: what people call things and what manuals call them; never ranks.

Manuals say "directory", "exception" and "iterable" where people ask for a folder, an error and a
thing to loop over. Expansions are weaker evidence than the user's own words: callers weigh them
with `WEIGHT`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from lazyboy_jupyter.adapters.ranking.words import stem

WEIGHT = 0.3

_GROUPS = """
error exception
failure exception
crash exception raise
throw raise
complain raise warn error
catch except handle
ignore suppress skip
folder directory
subfolder subdirectory recursively
path pathname filename
dict dictionary mapping
hashmap dictionary mapping
array list sequence
text string
character char
number integer numeric
decimal float
delete remove discard
erase delete remove
find search locate
lookup search
compute evaluate calculate
twice once
lazily generator yield iterator
lazy generator yield iterator
stream iterator generator
loop iterate iteration
foreach iterate iteration
exit terminate quit
stop terminate cancel
abort cancel terminate
wait sleep block
pause sleep suspend
delay sleep
parallel concurrent concurrently
simultaneously concurrently
simultaneous concurrent
background thread task
timeout deadline
thread threading
subprocess process
launch spawn start
similar resemble close match
fuzzy close match similar
misspelled misspelling close match
misspelling close match
typo close match
random randomly
shuffle random permutation
pick choose select
draw choose sample
descending reverse
backwards reverse
ascending sort order
order sort
unique distinct duplicate
duplicate repeated unique
merge combine join
concatenate join combine
glue join concatenate
split separate divide
clone copy duplicate
count occurrence
occur occurrence
often occurrence frequency
tally count
frequent common
memoize cache
remember cache
nested enclosing inner
block clause suite
clause suite block
key hash hashable
outer enclosing
closure enclosing free
variable name binding
modify change update
alter modify change
mutate modify
unchangeable immutable
constant immutable
convert conversion
parse parser
read load
save write dump
serialize pickle dump
deserialize load pickle
store save
encode encoding
decode decoding
unicode encoding
compress compression archive
unpack extract
hash digest hashable
checksum digest hash
env environment environ
commandline argument option
argument parameter
parameter argument
flag option
switch option match
temp temporary
inherit subclass base
parent base superclass
child subclass
instance object
object instance
constructor init initialize
destructor finalizer
property descriptor attribute
field attribute
member attribute
decorator wrapper
wrap wrapper
annotation hint
verify check test
validate check
compare comparison
equal equality
same identical identity
identical identity same
missing default absent
empty length
truthy true truth
falsy false truth
falsey false truth
boolean truth
false truth
size length
benchmark performance
measure elapsed performance
speed performance fast
profile profiling
log logging
mutex lock
semaphore lock
largest maximum max
biggest largest max
smallest minimum min
average mean
median middle
rounding round
truncate round
power exponent
remainder modulo
modulus modulo
division divide quotient
url address
website url http
download retrieve fetch
upload send
email message mail
mail message email
webserver http server
date datetime
timezone zone tz
timestamp epoch
weekday day week
month calendar
regex regular expression
pattern regular expression
wildcard glob pattern
substitute replace
uppercase upper
lowercase lower
strip whitespace
trim strip whitespace
indent indentation
pad fill align
separator delimiter
comma separator
print output
display output
format formatting
template substitute
import module
package module
library module
debug debugger
breakpoint debugger
trace traceback
stacktrace traceback
password secret
secure secrets cryptographic
token secret
database sql
query sql
spreadsheet csv
xml element
json javascript
config configuration
settings configuration
ini configuration
enumerate index
position index
slice slicing
insert insertion
append add
push append
queue fifo
stack lifo
heap priority
priority heap
sorted order
bisect sorted insertion
chunk batch
batch chunk
group grouping
flatten chain
pair zip
transpose zip
callback callable
lambda anonymous
anonymous lambda
coroutine async await
async asyncio coroutine
await coroutine async
manager context
cleanup close finally
close cleanup
"""

_PHRASES = (
    (
        re.compile(r"\bone (?:at a time|by one|after another)\b", re.IGNORECASE),
        "iterator generator yield",
    ),
    (re.compile(r"\bon the fly\b|\bon demand\b", re.IGNORECASE), "lazily generator"),
    (re.compile(r"\bat the same time\b|\bin parallel\b", re.IGNORECASE), "concurrently parallel"),
    (re.compile(r"\bcommand[- ]line\b", re.IGNORECASE), "argument option parser argv"),
    (re.compile(r"\bmore than one\b", re.IGNORECASE), "multiple several"),
    (re.compile(r"\bat least\b", re.IGNORECASE), "minimum"),
    (re.compile(r"\bat most\b|\bno more than\b", re.IGNORECASE), "maximum limit"),
)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _GROUPS.split("\n"):
        stems = [stem(word) for word in line.split()]
        if stems:
            found[stems[0]] = (*found.get(stems[0], ()), *stems[1:])
    return found


def expansions(terms: Iterable[str]) -> tuple[str, ...]:
    """Return related terms that are not among `terms`, in a stable order."""
    own = list(terms)
    found = [other for term in own for other in _table().get(term, ())]
    return tuple(other for other in dict.fromkeys(found) if other not in own)


def phrase_spans(text: str) -> list[tuple[int, int]]:
    """Return where such turns of phrase stand: their small words matter."""
    return [match.span() for pattern, _ in _PHRASES for match in pattern.finditer(text)]


def phrase_expansions(text: str) -> tuple[str, ...]:
    """Return related terms of turns of phrase that no single word shows."""
    return tuple(
        stem(word)
        for pattern, related in _PHRASES
        if pattern.search(text)
        for word in related.split()
    )
