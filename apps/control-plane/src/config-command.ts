import { findConfigurationFile } from './config/control-plane.config.js';
import { runConfigProgram } from './config/config-program.js';

// A reader that has seen enough (`config print | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error;
  }
});
process.exitCode = runConfigProgram(process.argv.slice(2), findConfigurationFile(), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
