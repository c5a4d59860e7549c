import type { StatementsByName } from './named-statement.js';

const MAX_TITLE_LENGTH = 200;
const MAX_BODY_LENGTH = 100_000;
const MAX_PAGE = 1000;

/** The statements for the example's table. */
export const NOTES: StatementsByName = {
  'notes.insert': {
    text: 'insert into notes (title, body) values ($1, $2) returning id, title, created_at',
    parameters: {
      title: { type: 'text', maxLength: MAX_TITLE_LENGTH },
      body: { type: 'text', maxLength: MAX_BODY_LENGTH },
    },
  },
  'notes.list': {
    text: 'select id, title, created_at from notes order by created_at, id limit $1',
    needs: 'read',
    parameters: { limit: { type: 'integer', min: 1, max: MAX_PAGE } },
  },
  'notes.get': {
    text: 'select id, title, body, created_at from notes where id = $1',
    needs: 'read',
    parameters: { id: { type: 'uuid' } },
    piiAccessed: true,
  },
  'notes.delete': {
    text: 'delete from notes where id = $1',
    parameters: { id: { type: 'uuid' } },
  },
};
