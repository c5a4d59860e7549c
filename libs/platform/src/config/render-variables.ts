import { fileVariableName, type Variable, type Variables } from './variable.js';

/** A table of variables as a markdown table: the source of docs/configuration.md. */
export function renderVariables(definitions: Variables): string {
  const rows = Object.values(definitions).map(
    (each) =>
      `| ${[renderName(each), each.expected, renderDefault(each), each.description].map(escapeCell).join(' | ')} |`,
  );
  return ['| variable | value | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function renderName(definition: Variable<unknown>): string {
  return definition.isSecret ? `\`${definition.name}\`, \`${fileVariableName(definition)}\`` : `\`${definition.name}\``;
}

function renderDefault({ computedDefault, defaultText }: Variable<unknown>): string {
  return computedDefault ?? (defaultText === undefined ? 'none' : `\`${defaultText}\``);
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
