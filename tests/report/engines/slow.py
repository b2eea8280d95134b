"""The plain sample engine over standard streams, a tenth of a second late with every reply; its argument only marks the process."""

import json
import sys
import time

from report_engines import Fine

engine = Fine()
for line in sys.stdin:
    request = json.loads(line)
    time.sleep(0.1)
    print(json.dumps(engine.handle(request)), flush=True)
    if request["op"] == "bye":
        break
