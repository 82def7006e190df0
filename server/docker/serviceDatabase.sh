#!/bin/sh
# Runs once, when PostgreSQL makes its data folder: graph-node's extensions, and a database and a role for the service
# alone, which cannot connect to graph-node's.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/service_database_password)" <<'SQL'
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
REVOKE CONNECT ON DATABASE graph FROM PUBLIC;
CREATE ROLE bounty_service LOGIN PASSWORD :'password';
CREATE DATABASE bounty_service OWNER bounty_service;
REVOKE CONNECT ON DATABASE bounty_service FROM PUBLIC;
SQL
