import type { Command, Flags } from './command.ts';

/** Flags that every command takes. */
export const commonFlags: Flags = {
  url: { type: 'string', value: 'origin', about: 'The operator listener; also OPERATOR_URL' },
  'token-file': { type: 'string', value: 'file', about: 'Its token; also OPERATOR_TOKEN' },
  json: { type: 'boolean', about: 'Print JSON' },
  help: { type: 'boolean', about: 'Print this' },
};

const signatureOf = ({ name, subject, isSubjectOptional }: Command): string => {
  if (subject === undefined) return name;
  return isSubjectOptional ? `${name} [<${subject}>]` : `${name} <${subject}>`;
};

const flagLines = (flags: Flags): readonly string[] => {
  const rows = Object.entries(flags).map(([name, { value, about, required }]) => [
    `--${name}${value === undefined ? '' : ` <${value}>`}`,
    `${about}${required ? ' (needed)' : ''}`,
  ]);
  const width = Math.max(...rows.map(([left]) => left!.length));
  return rows.map(([left, right]) => `  ${left!.padEnd(width)}  ${right}`);
};

/** How one command is used. */
export const commandHelp = (command: Command): readonly string[] => [
  `lyceum ${signatureOf(command)}`,
  '',
  `${command.about}.`,
  '',
  ...flagLines({ ...command.flags, ...commonFlags }),
];

/** Commands, and what all of them take. */
export function overview(commands: readonly Command[]): readonly string[] {
  const width = Math.max(...commands.map((each) => signatureOf(each).length));
  return [
    'lyceum <command> [flags]',
    '',
    ...commands.map((each) => `  ${signatureOf(each).padEnd(width)}  ${each.about}`),
    '',
    ...flagLines(commonFlags),
    '',
    'Without --url: http://$OPERATOR_HOST:$OPERATOR_PORT (127.0.0.1:8081). Without a token: the one in $DATA_DIR/operator-token.',
  ];
}
