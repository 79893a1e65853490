#!/bin/sh
# Ten kubectl calls that show how a real cluster answers branchlog's requests. They only read.
#
#   scripts/kube-fixtures.sh NAMESPACE POD CONTAINER FOLDER
#
# Choose a pod whose container has restarted at least once, and that logs something now and then. FOLDER gets one file
# of the answer and one of the requests (-v=8) for each call. kubectl masks tokens; names, environment variables and log
# lines are as they are: look before you share.
set -u
if [ $# -ne 4 ]; then
  echo "usage: $0 NAMESPACE POD CONTAINER FOLDER" >&2
  exit 2
fi
namespace=$1 pod=$2 container=$3 folder=$4
mkdir -p "$folder" || exit 1
pods="/api/v1/namespaces/$namespace/pods"
log="$pods/$pod/log?container=$container&timestamps=true"

call() {
  name=$1
  shift
  kubectl -v=8 "$@" >"$folder/$name.out" 2>"$folder/$name.err"
  echo "$name: exit code $?"
}

call 01-version version -o json
call 02-pods get --raw "$pods?limit=2"
call 03-workloads -n "$namespace" get deployments,replicasets,statefulsets -o json
call 04-watch get --raw "$pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=1"
call 05-watch-expired get --raw "$pods?watch=true&resourceVersion=1&timeoutSeconds=1"
call 06-log-tail get --raw "$log&tailLines=20"
call 07-log-since get --raw "$log&sinceTime=$(date -u +%Y-%m-%dT%H:00:00Z)&limitBytes=1000000"
call 08-log-previous get --raw "$log&previous=true&tailLines=20"
call 09-log-no-container get --raw "$pods/$pod/log?container=no-such-container"
call 10-log-no-pod get --raw "$pods/no-such-pod/log?container=$container"
