import type { BackendKind } from '@palisade/domain';
import type { BackendProvisioningSettings } from '../../config/control-plane-settings.js';
import type { ProvisioningSection } from '../dto/backends.dto.js';
import { HTTP_URL } from '../kinds/addresses.js';
import { COMMAND } from '../kinds/command.js';
import { FILE_PATH, SECRET_FILE } from '../kinds/files.js';
import { read, readOptional } from '../kinds/kind.js';

export function toProvisioning(kind: BackendKind, section: ProvisioningSection): BackendProvisioningSettings {
  const tenantSecretFile = read(SECRET_FILE, section.tenant_secret_file);
  if (kind === 'nats') {
    return {
      kind,
      tenantSecretFile,
      file: read(FILE_PATH, section.file),
      reloadCommand: toCommand(section.reload_command),
      checkCommand: section.check_command === undefined ? undefined : toCommand(section.check_command),
      monitorUrl: readOptional(HTTP_URL, section.monitor_url),
    };
  }
  const files = { tenantSecretFile, adminUrlFile: read(SECRET_FILE, section.admin_url_file) };
  switch (kind) {
    case 'postgres':
      return { kind, ...files, tables: section.tables };
    case 'redis':
      return { kind, ...files, savesAclFile: section.save_acl_file ?? false };
    case 'kafka':
      return { kind, ...files };
    default:
      return kind satisfies never;
  }
}

function toCommand(given: ProvisioningSection['reload_command']): readonly [string, ...string[]] {
  const [program = '', ...args] = read(COMMAND, given);
  return [program, ...args];
}
