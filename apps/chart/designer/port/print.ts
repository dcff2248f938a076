/** Prints one picture alone on one sheet, in landscape or portrait like the picture. */
export type Paper = 'A4' | 'A3';

const MILLIMETRES: Record<Paper, [number, number]> = { A4: [210, 297], A3: [297, 420] };
const MARGIN = 10;

/** Puts only numbers into the style, and no text of the drawing. */
function sheetFor(paper: Paper, isLying: boolean): CSSStyleSheet {
  const [short, long] = MILLIMETRES[paper];
  const [width, height] = isLying ? [long, short] : [short, long];
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .bsd-print { display: none; }
    @page { size: ${width}mm ${height}mm; margin: ${MARGIN}mm; }
    @media print {
      body > :not(.bsd-print) { display: none !important; }
      html, body { margin: 0 !important; padding: 0 !important; background: #fff !important; }
      .bsd-print { display: block; }
      .bsd-print img {
        display: block;
        width: ${width - 2 * MARGIN}mm;
        height: ${height - 2 * MARGIN - 1}mm;
        object-fit: contain;
        print-color-adjust: exact;
      }
    }`);
  return sheet;
}

/** As an image the picture stays sharp, and nothing in it can run in the page. */
export async function printPicture(svg: string, paper: Paper): Promise<void> {
  const [, , width = 1, height = 1] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '')
    .split(' ')
    .map(Number);
  const sheet = sheetFor(paper, width > height);
  const holder = document.createElement('div');
  holder.className = 'bsd-print';
  const image = new Image();
  // The picture gets a size, because it would otherwise be rendered small and enlarged.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.replace('<svg ', `<svg width="${width}" height="${height}" `))}`;
  image.alt = '';
  holder.append(image);
  document.body.append(holder);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const end = () => {
    holder.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
  await image.decode().catch(() => undefined);
  addEventListener('afterprint', end, { once: true });
  print();
}
