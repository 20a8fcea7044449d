/** Why something cannot be made, for the person who asked for it. */
export class Refused extends Error {}

const form = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const longest = 40;

/** Words that no name in the sources can be. @see https://262.ecma-international.org/14.0/#sec-keywords-and-reserved-words */
const reserved = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** `study-badge` as a type: `StudyBadge`. */
const typeOf = (name) => name.split('-').map(capital).join('');

/** `study-badge` as a variable: `studyBadge`. */
const variableOf = (name) => {
  const type = typeOf(name);
  return type[0].toLowerCase() + type.slice(1);
};

/** Several of what a word names, by the rules of English; what the rules do not know is said with `--plural`. */
function pluralOf(noun) {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies');
  if (noun.endsWith('lf')) return noun.replace(/f$/, 'ves');
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Checks a name that is asked for. `what` it is to name stands in the refusal. */
function checked(name, what) {
  if (!form.test(name)) throw new Refused(`"${name}" names no ${what}: lower case letters, digits and single hyphens`);
  if (name.length > longest) throw new Refused(`"${name}" is too long: at most ${longest} characters`);
  if (reserved.has(name)) throw new Refused(`"${name}" is a reserved word of JavaScript`);
  return name;
}

const article = (words) => (/^[aeiou]/.test(words) && !/^(uni|use|eu|one)/.test(words) ? 'an' : 'a');

/** The names of a service, as the templates use them. */
export function serviceNames(name) {
  const file = checked(name, 'service');
  return { file, name: variableOf(file), words: file.replaceAll('-', ' ') };
}

/** The names of an area, as the templates use them: `file` for its files, `noun` on the wire, `many` and `words` in texts. */
export function areaNames(noun, plural) {
  const file = checked(noun, 'thing');
  if (plural === undefined && /[^siu]s$/.test(file))
    throw new Refused(`"${file}" looks like several: name one of them, or say what several are called (--plural)`);
  const folder = checked(plural ?? pluralOf(file), 'things');
  if (folder === file) throw new Refused(`"${file}" needs another word for several of them: --plural`);
  const [words, many] = [file, folder].map((each) => each.replaceAll('-', ' '));
  const a = `${article(words)} ${words}`;
  return {
    file,
    folder,
    noun: file.replaceAll('-', '_'),
    nouns: folder.replaceAll('-', '_'),
    name: variableOf(file),
    names: variableOf(folder),
    Type: typeOf(file),
    Types: typeOf(folder),
    words,
    many,
    Many: capital(many),
    a,
    A: capital(a),
  };
}
