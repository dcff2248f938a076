/** A ticket's QR as it is drawn on the page can be read again. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';
import { QrCode } from '#apps/shared/ui/qr-code.tsx';
import { writeTicketCode } from '#server/domain/door/ticket-code.ts';

/** Paints the rectangles of the drawn path, 4 pixels a module, black on white. */
function paint(markup: string): {
  modules: number;
  image: { width: number; height: number; data: Uint8ClampedArray };
} {
  const modules = Number(/viewBox="0 0 (\d+) /.exec(markup)![1]);
  const width = modules * 4;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, run] of markup.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let py = Number(y) * 4; py < (Number(y) + 1) * 4; py += 1) {
      for (let px = Number(x) * 4; px < (Number(x) + Number(run)) * 4; px += 1)
        data.fill(0, (py * width + px) * 4, (py * width + px) * 4 + 3);
    }
  }
  return { modules, image: { width, height: width, data } };
}

test('a ticket code is drawn as version 2 with a quiet zone of four modules, and reads back', () => {
  const code = writeTicketCode(
    'A7K2',
    new Uint8Array(16).map((_, n) => n * 15),
  );
  const markup = renderToStaticMarkup(
    createElement(QrCode, { text: code, label: 'Codice QR del biglietto' }),
  );
  const { modules, image } = paint(markup);
  expect(modules).toBe(25 + 2 * 4);
  expect(decodeQR(image)).toBe(code);
  expect(markup).toContain('role="img" aria-label="Codice QR del biglietto"');
});

test('an address with lower case letters is drawn too', () => {
  const address = 'https://biglietti.example/scanner/#pair=aZ09-_x';
  const { image } = paint(
    renderToStaticMarkup(createElement(QrCode, { text: address, label: 'Abbinamento' })),
  );
  expect(decodeQR(image)).toBe(address);
});
