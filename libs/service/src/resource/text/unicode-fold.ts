/** Letters that Unicode does not decompose into a base letter and a mark. */
const spelled: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
};

/** A text in lower case and without marks, so that people who write it in different ways mean the same. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[æœøßłđðþħıŋŧ]/g, (letter) => spelled[letter]!);
