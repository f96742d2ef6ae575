"""Reads JUnit XML on stdin by a parser that is not ours and prints its test cases as JSON.

Validates by the schema beside this file, where the package xmlschema is installed.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as tree

text = sys.stdin.read()
root = tree.fromstring(text)
try:
    import xmlschema
except ImportError:
    pass
else:
    xmlschema.validate(text, str(pathlib.Path(__file__).with_name("junit.xsd")))
cases = [
    {
        **case.attrib,
        "results": [{"tag": it.tag, "text": it.text or "", **it.attrib} for it in case],
    }
    for suite in root
    for case in suite
]
print(json.dumps({"tag": root.tag, **root.attrib, "cases": cases}))
