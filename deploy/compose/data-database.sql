-- The database for tenants' data, separate from the services' database, and its owner. Repeating it changes nothing.
\set ON_ERROR_STOP on
\getenv admin_password DATA_ADMIN_PASSWORD
select 'create role data_admin login createrole' where not exists (select from pg_roles where rolname = 'data_admin') \gexec
alter role data_admin password :'admin_password';
select 'create database data owner data_admin' where not exists (select from pg_database where datname = 'data') \gexec
