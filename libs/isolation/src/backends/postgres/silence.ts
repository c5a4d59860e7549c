import type { Client, ClientConfig } from 'pg';
import { isIdle } from './client-state.js';

/**
 * Has the server close a connection of which it has heard nothing for some time, also while it cannot get rid of its answer;
 * and look, during a statement, whether the client has gone. A process that has been stopped is silent, and keeps its sockets.
 */
export function withSilenceLimit(config: ClientConfig, silenceMs: number): ClientConfig {
  const settings = {
    idle_session_timeout: silenceMs,
    idle_in_transaction_session_timeout: silenceMs,
    tcp_user_timeout: silenceMs,
    client_connection_check_interval: Math.min(silenceMs, CHECK_MS),
  };
  const options = Object.entries(settings).map(([name, ms]) => `-c ${name}=${ms}`);
  return { ...config, options: [...options, config.options ?? ''].join(' ').trim() };
}

/** Lets the server hear of a connection that somebody keeps without using it. */
export function breakSilence(client: Client, silenceMs: number): void {
  let heardAtMs = performance.now();
  client.connection.on('readyForQuery', () => {
    heardAtMs = performance.now();
  });
  const timer = setInterval(() => {
    if (isIdle(client) && performance.now() - heardAtMs > silenceMs / 2) {
      // When it fails the connection has ended, of which others are told.
      client.query('').catch(() => {});
    }
  }, silenceMs / 4).unref();
  client.once('end', () => clearInterval(timer));
}

const CHECK_MS = 1000;
