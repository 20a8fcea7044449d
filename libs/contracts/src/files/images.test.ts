import { describe, expect, test } from '@jest/globals';
import { imageInput, imageNamed, imagePath } from './images.ts';

const id = 'upload_00000000-0000-7000-8000-000000000001';
const issuer = 'http://lantern.localhost:8080';

describe('an image', () => {
  test('is named by the id of a file, by its address, or by an address elsewhere', () => {
    expect(imageNamed(id, issuer)).toEqual({ file: id });
    expect(imageNamed(issuer + imagePath(id), issuer)).toEqual({ file: id });
    expect(imageNamed('https://example.org/a b.png', issuer)).toEqual({ url: 'https://example.org/a%20b.png' });
  });

  test('at the address of another school is an address like any other', () => {
    const elsewhere = `https://other.example${imagePath(id)}`;
    expect(imageNamed(elsewhere, issuer)).toEqual({ url: elsewhere });
    expect(imageNamed(elsewhere, '')).toEqual({ url: elsewhere });
    expect(imageNamed(`http://other.example${imagePath(id)}`, issuer)).toBeUndefined();
    expect(imageNamed(`https://lantern.example${imagePath(id)}?x=1`, 'https://lantern.example')).toHaveProperty('url');
  });

  test('is no other text', () => {
    const accepts = (text: string) => imageInput().safeParse(text).success;
    expect([id, 'https://example.org/a.png', issuer + imagePath(id)].map(accepts)).toEqual([true, true, true]);
    for (const text of ['', 'cover.png', 'http://example.org/a.png', 'javascript:alert(1)', 'upload_', imagePath(id)])
      expect([text, accepts(text)]).toEqual([text, false]);
    expect(accepts(`https://example.org/${'a'.repeat(2_048)}`)).toBe(false);
  });
});
