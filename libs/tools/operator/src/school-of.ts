import { type Flag, type Given, UsageError, textOf } from './command.ts';
import { type OperatorClient, OperatorRefused } from './operator-client.ts';

/** The flag by which a command names its school. */
export const schoolFlag: Flag = { type: 'string', required: true, value: 'id or slug', about: 'The school' };

/** The id of the school that is named by id or by slug. */
export async function schoolOf(client: OperatorClient, flags: Given): Promise<string> {
  const named = textOf(flags, 'school');
  if (named === undefined) throw new UsageError('--school is missing');
  if (named.startsWith('school_')) return named;
  const found = (await client.all('/internal/schools')).find(({ slug }) => slug === named);
  if (!found) throw new OperatorRefused(`There is no school with the slug ${named}`);
  return String(found['id']);
}
