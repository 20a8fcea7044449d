import { Problem } from '../replies/problem.ts';

/** The strong entity tag of a stream version. */
export const etagOf = (version: number): string => `"${version}"`;

const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const versionTag = /^(?:0|[1-9]\d{0,15})$/;

/** Splits a list of entity tags; undefined when it is not one. */
function entityTags(header: string): { weak: boolean; tag: string }[] | undefined {
  const parts = header.match(/(?:[^",]|"[^"]*")+/g) ?? [];
  const tags = parts.flatMap((part) => {
    const [, weak, tag] = entityTag.exec(part.trim()) ?? [];
    return tag === undefined ? [] : [{ weak: weak !== undefined, tag }];
  });
  return tags.length === 0 || tags.length < parts.length ? undefined : tags;
}

/**
 * The versions that the client accepts; undefined when it sent no If-Match or `*`. Only strong tags can match, so weak or
 * foreign ones are 412; a header that is not a list of tags is 400.
 * @see RFC 9110 §13.1.1, RFC 6585 §3
 */
export function expectedVersions(
  header: string,
  rule: 'required' | 'accepted' | undefined,
): readonly number[] | undefined {
  if (rule === undefined) return undefined;
  if (header === '') {
    if (rule === 'required') throw new Problem('precondition_required');
    return undefined;
  }
  if (header.trim() === '*') return undefined;
  const tags = entityTags(header);
  if (!tags)
    throw new Problem('invalid_request', 'If-Match must hold an ETag as it was received, in double quotes, or *');
  const versions = tags.filter(({ weak, tag }) => !weak && versionTag.test(tag));
  if (versions.length === 0) throw new Problem('precondition_failed');
  return versions.map(({ tag }) => Number(tag));
}

/**
 * Whether the client already has what this tag (without quotes) or version stands for. Weak comparison.
 * @see RFC 9110 §13.1.2
 */
export function alreadyHas(header: string, tag: string | number): boolean {
  if (header === '') return false;
  if (header.trim() === '*') return true;
  return entityTags(header)?.some((each) => each.tag === String(tag)) ?? false;
}
