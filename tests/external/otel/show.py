"""Prints what MLflow shows of the newest trace: its spans with their types, and the tokens it counted."""

import json
import sys

import mlflow

client = mlflow.MlflowClient(sys.argv[1])
traces = client.search_traces(locations=["0"])
out = []
for trace in traces:
    spans = {s.span_id: s for s in trace.data.spans}
    out.append(
        {
            "tokens": trace.info.token_usage,
            "session": trace.info.trace_metadata.get("mlflow.trace.session"),
            "spans": [
                {
                    "name": s.name,
                    "type": s.span_type,
                    "inside": spans[s.parent_id].name if s.parent_id in spans else None,
                    "model": s.attributes.get("gen_ai.request.model"),
                    "inputs": s.inputs is not None,
                    "outputs": s.outputs is not None,
                    "status": s.status.status_code.value if hasattr(s.status.status_code, "value") else str(s.status.status_code),
                }
                for s in trace.data.spans
            ],
        }
    )
print(json.dumps(out))
