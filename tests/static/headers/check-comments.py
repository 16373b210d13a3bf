#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-comments.py HEADER...: every public declaration has its comment.

A prototype needs one on the line above it (the dump functions, which are declared through one
function type, may have it behind them on the same line); so do structures, enumerations, typedefs
and objects. Before anything else it shows itself that a bare prototype is found. Exits 1 and lists
what is bare.
"""
import sys

import headerparse

SAMPLE = """
#ifdef __cplusplus
extern "C" {
#endif
/* A comment. */
int good(void);

/* Not this one's comment. */

int apart(void);
int bare(int x,
         void (*call)(int));
int behind(void); /* a prototype wants it above */
typedef void(dumper)(char *buf); /* behind will do for a type */
dumper dump_good; /* behind */
dumper dump_bare;
/* A type. */
struct s {
	int member;
};
struct t {
	int (*call)(void);
} __attribute__((__packed__));
/* An inline function. */
static inline int f(void)
{
	return 0;
}
static inline struct s *g(struct s *x)
{
	if (x) {
		return x;
	}
	return 0;
}
extern int object;
#ifdef __cplusplus
}
#endif
"""
SAMPLE_BARE = ["apart", "bare", "behind", "dump_bare", "t", "g", "object"]
SAMPLE_ALL = ["good", "apart", "bare", "behind", "dumper", "dump_good", "dump_bare", "s", "t", "f",
              "g", "object"]


def documented(declaration):
    through_a_type = "(" not in declaration.text
    may_be_behind = declaration.kind == "typedef" or through_a_type
    return declaration.comment_above or (may_be_behind and declaration.comment_behind)


def bare(declared):
    return [declaration for declaration in declared if not documented(declaration)]


def main(paths):
    sample = headerparse.declarations(SAMPLE)
    if [d.name for d in sample] != SAMPLE_ALL or [d.name for d in bare(sample)] != SAMPLE_BARE:
        print("this check no longer finds what it is to find:",
              [d.name for d in sample], [d.name for d in bare(sample)])
        return 1

    prototypes, failed = 0, False
    for path in paths:
        declared = headerparse.read(path)
        prototypes += sum(d.kind == "function" for d in declared)
        for declaration in bare(declared):
            print("%s:%d: %s %s has no comment of its own"
                  % (path, declaration.line, declaration.kind, declaration.name))
            failed = True
    if not prototypes:
        print("no prototype found in", paths)
        return 1
    print("%d prototypes in %d headers" % (prototypes, len(paths)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
