import { type PersonalData, personalDataQuestion } from './personal-data.ts';

/**
 * Answers with a page of what areas keep about a person: file by file, in the order of the areas. Throws for a question
 * that none of this release asks.
 */
export async function answerPersonalData<Ports>(
  kept: readonly PersonalData<Ports>[],
  asked: unknown,
  ports: Ports,
): Promise<unknown> {
  const { school, subject, from } = personalDataQuestion.parse(asked);
  const at = from === null ? 0 : kept.findIndex(({ file }) => file === from.file);
  const part = kept[at];
  if (!part && from !== null) throw new Error(`there is no personal data of the name ${from.file}`);
  if (!part) return { file: null, records: [], next: null };
  const { file } = part;
  const { records, next } = await part.read({ school, subject }, ports, from?.after ?? undefined);
  const follower = kept[at + 1];
  const behind = follower ? { file: follower.file, after: null } : null;
  return { file, records, next: next === undefined ? behind : { file, after: next } };
}
