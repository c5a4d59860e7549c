import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import type { Findings } from '../findings/findings.js';

/**
 * Finds what cannot be true together in a file whose single values have been checked. Values with problems stand at
 * their defaults; a check does not draw conclusions from them.
 */
export type Check = (file: ControlPlaneFile, findings: Findings) => void;
