import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../run.mjs';
import { findProgram } from './find-program.mjs';
import { outputOf } from './output-of.mjs';

/** The broker and its dependencies: the path of each jar in a Maven repository, with its SHA-256. */
const { version: VERSION, jars: JARS } = JSON.parse(readFileSync(new URL('kafka-jars.json', import.meta.url), 'utf8'));

const CACHE_ROOT = join(ROOT, 'node_modules/.cache/palisade');
const CACHE = join(CACHE_ROOT, `kafka-${VERSION}`);
const RESOLVE = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:resolve';

const MAX_ATTEMPTS = 5;
const RETRY_DELAY_MS = 500;
const DOWNLOAD_TIMEOUT_MS = 120_000;
const MAVEN_TIMEOUT_MS = 600_000;
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

const missingJars = () => Object.keys(JARS).filter((path) => !isCached(path));

/** A mirror that is asked directly, without Maven. */
const mirror = () => process.env.PALISADE_MAVEN_REPOSITORY?.replace(/\/+$/, '');

/** Whether {@link provideKafkaJars} is going to run Maven. */
export function needsMaven() {
  return !mirror() && missingJars().length > 0;
}

/** Stores a jar in the cache; it appears whole or not at all, as several runs may do this at once. */
function keep(path, content) {
  if (!isIntact(content, path)) {
    throw new Error(`the SHA-256 of ${path} is not ${JARS[path]}`);
  }
  const file = join(CACHE, path);
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, content);
  renameSync(partial, file);
}

/** A project that depends on the jars and on nothing that these depend on: the list is complete. */
function projectOf(paths) {
  const dependencies = paths.map((path) => {
    const [artifact, version] = path.split('/').slice(-3, -1);
    const group = path.split('/').slice(0, -3).join('.');
    const coordinates = `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`;
    const nothingElse =
      '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>';
    return `<dependency>${coordinates}${nothingElse}</dependency>`;
  });
  return (
    '<project><modelVersion>4.0.0</modelVersion><groupId>palisade</groupId><artifactId>test-kafka</artifactId>' +
    `<version>${VERSION}</version><packaging>pom</packaging><dependencies>${dependencies.join('')}</dependencies></project>`
  );
}

/** Lets Maven download jars, from wherever its settings say. */
async function resolveWithMaven(paths, signal) {
  mkdirSync(CACHE_ROOT, { recursive: true });
  const directory = mkdtempSync(join(CACHE_ROOT, 'maven-'));
  try {
    writeFileSync(join(directory, 'pom.xml'), projectOf(paths));
    const options = ['--batch-mode', '--quiet', '--file', join(directory, 'pom.xml')];
    const { succeeded, output } = await outputOf(
      findProgram('mvn') ?? 'mvn',
      [...options, `-Dmaven.repo.local=${directory}`, RESOLVE],
      { signal: AbortSignal.any([signal, AbortSignal.timeout(MAVEN_TIMEOUT_MS)]) },
    );
    signal.throwIfAborted();
    if (!succeeded) {
      throw new Error(output.trim() || 'mvn could not be run');
    }
    paths.forEach((path) => keep(path, readFileSync(join(directory, path))));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function download(url, path, signal) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]);
      const response = await fetch(url, { signal: limit });
      if (!response.ok) {
        throw new Error(`answered ${response.status}`);
      }
      return keep(path, Buffer.from(await response.arrayBuffer()));
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === MAX_ATTEMPTS) {
        throw new Error(`${url}: ${error.cause?.message ?? error.message}`, { cause: error });
      }
      await sleep(RETRY_DELAY_MS * 2 ** attempt, undefined, { signal });
    }
  }
}

async function downloadFromMirror(repository, paths, interruption) {
  const failure = new AbortController();
  const signal = AbortSignal.any([interruption, failure.signal]);
  const queue = paths.values();
  const work = async () => {
    for (const path of queue) {
      await download(`${repository}/${path}`, path, signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL_DOWNLOADS }, work));
  } finally {
    failure.abort();
  }
}

/**
 * Fetches the jars that are not in the cache yet: from the Maven repository that PALISADE_MAVEN_REPOSITORY names, or else with
 * Maven. Resolves to the class path of the broker.
 * @throws {Error} when a jar cannot be downloaded, or is not the one whose SHA-256 was pinned
 */
export async function provideKafkaJars(signal) {
  const missing = missingJars();
  if (missing.length > 0) {
    console.log(`Downloading Kafka ${VERSION} (${missing.length} files) …`);
    const repository = mirror();
    try {
      await (repository ? downloadFromMirror(repository, missing, signal) : resolveWithMaven(missing, signal));
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(
        `Kafka, which tests run against, cannot be downloaded: ${error.message}\n` +
          'It comes through Maven (mvn), or directly from the Maven repository that PALISADE_MAVEN_REPOSITORY names.',
        { cause: error },
      );
    }
  }
  return Object.keys(JARS).map((path) => join(CACHE, path));
}
