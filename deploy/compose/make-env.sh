#!/bin/sh
# Makes the file .env beside docker-compose.yml, with new secrets for the profiles that the arguments name:
#   sh deploy/compose/make-env.sh proxies backends
# One that is there is left alone: volumes keep passwords too, so that new ones would not be theirs.
set -eu
umask 077
file=$(dirname "$0")/../../.env

for profile in "$@"; do
  case $profile in
  proxies | backends | observability | tracing) ;;
  *)
    echo "make-env.sh: no profile \"$profile\": expected proxies, backends, observability or tracing" >&2
    exit 2
    ;;
  esac
done

has() { case " $profiles " in *" $1 "*) ;; *) return 1 ;; esac }
# The letter in front keeps configuration files from taking it for a number.
secret() { echo "p$(openssl rand -hex 24)"; }

profiles=$*
if [ -e "$file" ]; then
  echo "make-env.sh: $file is there already" >&2
  exit 1
fi
{
  echo "COMPOSE_PROFILES=$(echo "$profiles" | tr ' ' ',')"
  echo "POSTGRES_PASSWORD=$(secret)"
  echo "SVC_SCIM_BEARER_TOKEN=$(secret)"
  echo "SVC_ADMIN_TOKEN=$(secret)"
  if has proxies; then
    token=$(secret)
    echo "CONTROL_PLANE_CONFIG=./deploy/compose/control-plane.proxies.yaml"
    echo "DATA_ADMIN_PASSWORD=$(secret)"
    echo "DATA_PROXY_PASSWORD=$(secret)"
    echo "DATA_PROXY_CONTROL_TOKEN=$token"
    echo "CONTROL_PLANE_TOKEN_DIGESTS=data-proxies:$(printf %s "$token" | openssl dgst -sha256 -r | cut -d' ' -f1)"
  fi
  if has backends; then
    echo "REDIS_PASSWORD=$(secret)"
    echo "REDIS_ADMIN_PASSWORD=$(secret)"
    echo "NATS_PASSWORD=$(secret)"
    echo "KAFKA_PASSWORD=$(secret)"
    echo "DATA_PROXY_BACKEND_SECRET=$(secret)"
  fi
  if has observability; then
    echo "GRAFANA_ADMIN_PASSWORD=$(secret)"
  fi
  if has tracing; then
    echo "OTEL_TRACES_EXPORTER=otlp"
  fi
} >"$file"
