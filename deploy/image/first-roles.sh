#!/bin/sh
# Runs once, when the database of the compose file is made: two roles that are no superusers, each with databases of its own.
set -eu
: "${DATABASE_PASSWORD:?set it in deploy/compose.env: openssl rand -hex 24}"
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set password="$DATABASE_PASSWORD" <<'SQL'
create role slipway login password :'password';
create database slipway owner slipway;
-- Temporal's image makes its own databases.
create role temporal login createdb password :'password';
SQL
