#!/usr/bin/env python3
"""Set up what Cardwalk needs, once and privately, and play: arguments go to ``cardwalk`` as they are."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file must parse on the old Python it turns away
    sys.exit("Cardwalk needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

import _environment

if __name__ == "__main__":
    _environment.become(_environment.ready().command("cardwalk", *sys.argv[1:]))
