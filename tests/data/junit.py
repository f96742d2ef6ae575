"""Reads JUnit XML on stdin by a parser that is not ours and prints its test cases as JSON."""

import json
import sys
import xml.etree.ElementTree as tree

root = tree.fromstring(sys.stdin.read())
cases = [
    {
        **case.attrib,
        "results": [{"tag": it.tag, "text": it.text or "", **it.attrib} for it in case],
    }
    for suite in root
    for case in suite
]
print(json.dumps({"tag": root.tag, **root.attrib, "cases": cases}))
