"""Runs clients of Python's kubernetes package as they are for a number of seconds, each with connections of its own.

The argument is a file with the clients; the output is how long each operation took, in milliseconds, by kind of client.
"""

import json
import random
import sys
import threading
import time

from kubernetes import client, config

lock = threading.Lock()
results = {}


def record(kind, started_at, error):
    with lock:
        one = results.setdefault(kind, {"milliseconds": [], "failed": 0})
        if error is None:
            one["milliseconds"].append((time.monotonic() - started_at) * 1000)
        else:
            one["failed"] += 1
            one["error"] = str(error)


def poll(one, until):
    """Lists pods once a period, and reads one of them."""
    core = client.CoreV1Api(config.new_client_from_config(one["kubeconfig"]))
    time.sleep(random.random() * one["period"])
    turn = 0
    while time.monotonic() < until:
        started_at = time.monotonic()
        try:
            if turn % 2 == 0:
                core.list_namespaced_pod(one["namespace"], label_selector="app=app-2")
            else:
                core.read_namespaced_pod("pod-2", one["namespace"])
            record(one["kind"], started_at, None)
        except Exception as error:  # pylint: disable=broad-except
            record(one["kind"], started_at, error)
        turn += 1
        time.sleep(max(0, one["period"] - (time.monotonic() - started_at)))


def main():
    with open(sys.argv[1], encoding="utf8") as file:
        plan = json.load(file)
    until = time.monotonic() + plan["seconds"]
    threads = [threading.Thread(target=poll, args=(one, until)) for one in plan["clients"]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(results))


main()
