/** A QR code as one SVG path: black on white, level M, a margin of 4 modules for poor cameras. */
import { useMemo } from 'react';
import { encodeQR } from 'qr';

/** Ticket codes use this mode (version 2-M, RULES C1); it has no lower case. */
const alphanumeric = /^[0-9A-Z $%*+\-./:]+$/;

/** `label` replaces the picture for screen readers. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawModules(text), [text]);
  return (
    <svg
      className="ui-qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function drawModules(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', {
    ecc: 'medium',
    border: 4,
    encoding: alphanumeric.test(text) ? 'alphanumeric' : 'byte',
  });
  const runs: string[] = [];
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      runs.push(`M${start} ${y}h${x - start + 1}v1H${start}z`);
    }
  });
  return { size: rows.length, path: runs.join('') };
}
