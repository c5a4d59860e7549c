import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { variableOf } from './programs.mjs';

/** Where packages put servers; often not in the PATH of somebody who is not root. */
const SYSTEM_DIRECTORIES = process.platform === 'win32' ? [] : ['/usr/local/sbin', '/usr/sbin', '/sbin'];

const SUFFIX = process.platform === 'win32' ? '.exe' : '';

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function searchPath() {
  return [...(process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== ''), ...SYSTEM_DIRECTORIES];
}

/**
 * The file of a program: the one that its variable names, else (`java`) the one of JAVA_HOME, else the first in PATH or
 * where the system keeps its servers. A variable that names no executable file is an error: nothing is taken in its place.
 */
export function findProgram(name) {
  const variable = variableOf(name);
  const given = process.env[variable];
  if (given) {
    if (!isExecutable(given)) {
      throw new Error(`${variable} is ${given}, which is not an executable file.`);
    }
    return given;
  }
  const home = name === 'java' && process.env.JAVA_HOME ? [join(process.env.JAVA_HOME, 'bin')] : [];
  return [...home, ...searchPath()].map((directory) => join(directory, name + SUFFIX)).find(isExecutable);
}
