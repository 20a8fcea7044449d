import type { ProcessSettings } from '../settings/settings.ts';

/** What a person at a terminal reads once the process is ready. */
export function banner(settings: ProcessSettings, modules: readonly string[], notes: readonly string[]): string {
  const { BASE_URL, DATA_DIR, OPERATOR_HOST, OPERATOR_PORT } = settings;
  const lines = [
    `Lyceum is ready at ${BASE_URL}`,
    '',
    ...notes,
    ...(notes.length > 0 ? [''] : []),
    `API description  ${BASE_URL}/openapi.json`,
    `Operators        http://${OPERATOR_HOST}:${OPERATOR_PORT}/internal  (token: ${settings.OPERATOR_TOKEN === undefined ? `${DATA_DIR}/operator-token` : 'OPERATOR_TOKEN'})`,
    `Data             ${DATA_DIR}`,
    `Parts            ${modules.join(', ')}`,
    '',
    'Stop with Ctrl-C.',
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}
