-- The database of the services and its owner, a role without other rights. Runs when the server starts for the first time.
\getenv password STORE_PASSWORD
create role palisade login password :'password';
create database palisade owner palisade;
-- By default everybody may connect to every database.
revoke connect, temporary on database palisade from public;
