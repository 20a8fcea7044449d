import { Problem } from './problem.ts';

/** The strong entity tag of a stream version. */
export const etagOf = (version: number): string => `"${version}"`;

const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const versionTag = /^(?:0|[1-9]\d{0,15})$/;

/** Splits a list of entity tags; undefined when it is not one. */
function entityTags(header: string): { weak: boolean; tag: string }[] | undefined {
  const parts = header.match(/(?:[^",]|"[^"]*")+/g) ?? [];
  const tags = parts.map((part) => entityTag.exec(part.trim()));
  if (tags.length === 0 || tags.some((tag) => tag === null)) return undefined;
  return tags.map((tag) => ({ weak: tag![1] !== undefined, tag: tag![2]! }));
}

/**
 * The version that the client saw; undefined when it sent no If-Match or `*`. Only strong tags can match, so a weak or
 * foreign one is 412; a header that is not a tag is 400, and so are several versions, since a write can follow only one.
 * @see RFC 9110 §13.1.1, RFC 6585 §3
 */
export function expectedVersion(header: string, rule: 'required' | 'accepted' | undefined): number | undefined {
  if (rule === undefined) return undefined;
  if (header === '') {
    if (rule === 'required') throw new Problem('precondition_required');
    return undefined;
  }
  if (header.trim() === '*') return undefined;
  const tags = entityTags(header);
  if (!tags) throw new Problem('invalid_request', 'If-Match is not an entity tag');
  const versions = tags.filter(({ weak, tag }) => !weak && versionTag.test(tag));
  if (versions.length === 0) throw new Problem('precondition_failed');
  if (versions.length > 1) throw new Problem('invalid_request', 'If-Match must hold one entity tag');
  return Number(versions[0]!.tag);
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
