import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../run.mjs';

/** The broker and what it needs at run time, by path in a Maven repository, with the SHA-256 of each. */
const { version: VERSION, jars: JARS } = JSON.parse(readFileSync(new URL('kafka-jars.json', import.meta.url), 'utf8'));

const CACHE = join(ROOT, 'node_modules/.cache/palisade', `kafka-${VERSION}`);
const MAVEN_CENTRAL = 'https://repo1.maven.org/maven2';

const MAX_ATTEMPTS = 5;
const RETRY_DELAY_MS = 500;
const DOWNLOAD_TIMEOUT_MS = 120_000;
const PARALLEL_DOWNLOADS = 8;

function isIntact(content, path) {
  return createHash('sha256').update(content).digest('hex') === JARS[path];
}

function isCached(path) {
  try {
    return isIntact(readFileSync(join(CACHE, path)), path);
  } catch {
    return false;
  }
}

async function fetchOnce(url, path, signal) {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]);
  const response = await fetch(url, { signal: limit });
  if (!response.ok) {
    throw new Error(`answered ${response.status}`);
  }
  const content = Buffer.from(await response.arrayBuffer());
  if (!isIntact(content, path)) {
    throw new Error(`gave something whose SHA-256 is not ${JARS[path]}`);
  }
  return content;
}

/** Several runs may do this at once: a file appears whole or not at all. */
function keep(path, content) {
  const file = join(CACHE, path);
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, content);
  renameSync(partial, file);
}

async function download(repository, path, signal) {
  const url = `${repository}/${path}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return keep(path, await fetchOnce(url, path, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === MAX_ATTEMPTS) {
        const reason = error.cause?.message ?? error.message;
        throw new Error(
          `Kafka, which tests run against, cannot be downloaded: ${url}: ${reason}. ` +
            'PALISADE_MAVEN_REPOSITORY names a mirror of Maven Central.',
          { cause: error },
        );
      }
      await sleep(RETRY_DELAY_MS * 2 ** attempt, undefined, { signal });
    }
  }
}

/**
 * Downloads what is not in the cache yet, from the Maven repository that PALISADE_MAVEN_REPOSITORY names or Maven Central.
 * Resolves to the class path of the broker.
 * @throws {Error} when a file cannot be had, or is not what it was when its version was chosen
 */
export async function provideKafkaJars(interruption) {
  const repository = (process.env.PALISADE_MAVEN_REPOSITORY || MAVEN_CENTRAL).replace(/\/+$/, '');
  const wanted = Object.keys(JARS).filter((path) => !isCached(path));
  if (wanted.length > 0) {
    console.log(`Downloading Kafka ${VERSION} (${wanted.length} files) …`);
  }
  const failure = new AbortController();
  const signal = AbortSignal.any([interruption, failure.signal]);
  const queue = wanted.values();
  const work = async () => {
    for (const path of queue) {
      await download(repository, path, signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL_DOWNLOADS }, work));
  } finally {
    failure.abort();
  }
  return Object.keys(JARS).map((path) => join(CACHE, path));
}
