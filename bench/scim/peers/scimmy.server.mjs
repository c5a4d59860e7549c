/**
 * scimmy behind scimmy-routers on Express 4, as their READMEs show it: handlers for a resource type over a store of the
 * application's own. Here a Map, with a second one so that userName is unique without a search.
 */
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import express from 'express';
import { Resources, Types } from 'scimmy';
import { SCIMMYRouters } from 'scimmy-routers';

const { PORT, TOKEN } = process.env;

const users = new Map();
const idsByUserName = new Map();

Resources.declare(Resources.User)
  .ingress((resource, data) => save(resource.id ?? randomUUID(), data))
  .egress((resource) => (resource.id ? find(resource.id) : select(resource.filter)))
  .degress((resource) => remove(resource.id));

const app = express();
app.use('/scim/v2', new SCIMMYRouters({ type: 'bearer', handler: authenticate }));
app.listen(Number(PORT), '127.0.0.1');

function authenticate(request) {
  if (request.header('Authorization') !== `Bearer ${TOKEN}`) {
    throw new Error('Authorization not detected!');
  }
  return 'bench';
}

function save(id, data) {
  const userName = data.userName.toLowerCase();
  const owner = idsByUserName.get(userName);
  if (owner !== undefined && owner !== id) {
    throw new Types.Error(409, 'uniqueness', 'userName is not unique');
  }
  const now = new Date().toISOString();
  const user = { ...data, id, meta: { created: users.get(id)?.meta.created ?? now, lastModified: now } };
  users.set(id, user);
  idsByUserName.set(userName, id);
  return user;
}

function find(id) {
  const user = users.get(id);
  if (user === undefined) {
    throw new Types.Error(404, null, `Resource ${id} not found`);
  }
  return user;
}

function select(filter) {
  const all = [...users.values()];
  return filter ? filter.match(all) : all;
}

function remove(id) {
  idsByUserName.delete(find(id).userName.toLowerCase());
  users.delete(id);
}
