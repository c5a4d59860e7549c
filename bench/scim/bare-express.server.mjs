/** The ceiling: Express answers one user's JSON by id from a Map, and does nothing else. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import express from 'express';

const { PORT, USERS_FILE } = process.env;

const users = new Map(JSON.parse(readFileSync(USERS_FILE, 'utf8')).map((user) => [user.id, user]));

const app = express();
app.get('/scim/v2/Users/:id', (request, response) => {
  response.json(users.get(request.params.id));
});
app.listen(Number(PORT), '127.0.0.1');
