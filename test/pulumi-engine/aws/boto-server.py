"""Calls AWS with its own client: POST {"service", "operation", "parameters"} gives what AWS answers, as JSON.

The client checks parameters against AWS's published model, so that what AWS does not take is refused here already.
Usage: boto-server.py ENDPOINT REGION; it prints the port that it listens on, and ends with its standard input.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

endpoint, region = sys.argv[1:3]
session = boto3.session.Session(aws_access_key_id="test", aws_secret_access_key="test", region_name=region)
config = Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"}, max_pool_connections=32)
clients = {}
making = threading.Lock()
# The emulation keeps its state in dictionaries without locks.
calling = threading.Lock()


def client_of(service):
    with making:
        if service not in clients:
            clients[service] = session.client(service, endpoint_url=endpoint, config=config)
        return clients[service]


def call(service, operation, parameters):
    client = client_of(service)
    method = next(own for own, name in client.meta.method_to_api_mapping.items() if name == operation)
    try:
        with calling:
            answer = getattr(client, method)(**parameters)
    except ClientError as error:
        return 400, {"code": error.response["Error"]["Code"], "message": str(error)}
    except (BotoCoreError, TypeError) as error:
        return 400, {"code": type(error).__name__, "message": str(error)}
    answer.pop("ResponseMetadata", None)
    return 200, answer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status, answer = call(asked["service"], asked["operation"], asked["parameters"])
        body = json.dumps(answer, default=str).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
os._exit(0)
