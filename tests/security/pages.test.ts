/** What people write stays text in each place of a page; password fields hide it and keep no password manager out. */
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PasswordField } from '#apps/admin/shell/login/password-field.tsx';
import { escapeJson, headOf } from '#apps/booking/shell/page/page-head.ts';

const nasty = `"><img src=x onerror=alert(1)>'</script><!--\u2028`;

test('in a script of a page data ends no element and stays what it was', () => {
  const text = escapeJson({ nasty });
  expect(text).not.toMatch(/[<\u2028]/);
  expect(JSON.parse(text)).toEqual({ nasty });
});

test('in the head of a page a title leaves neither its element nor its attribute', () => {
  const facts = { path: '/', publicUrl: 'https://biglietti.example', indexed: true };
  const head = headOf({ ...facts, title: nasty, data: { now: 0 } as never });
  expect(head).not.toContain('<img');
  expect(head).not.toContain('content="">');
  expect(head).toContain('og:title');
});

test('a password field hides what is typed, takes what is pasted and tells a password manager what it is for', () => {
  const html = renderToString(
    createElement(PasswordField, {
      label: 'Password',
      value: 'segreta',
      onChange() {},
      autoComplete: 'current-password',
    }),
  );
  expect(html).toContain('type="password"');
  expect(html).toContain('autoComplete="current-password"');
  expect(html).not.toMatch(/onpaste|autocomplete="off"|readonly/i);
});
