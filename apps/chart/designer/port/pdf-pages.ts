/** Draws the pages of a PDF as pictures; loaded only to trace a PDF. */
import { getDocument } from 'pdfjs-dist';
// The PDF is read in the page and not in a worker, whose script must come from the page's own
// server; the designer's often does not.
import 'pdfjs-dist/build/pdf.worker.min.mjs';
import { UnreadablePicture } from './picture-fault.ts';

/** The first pages that are offered; a hall's plan is never on a later one. */
const MOST_PAGES = 500;

export async function openPdf(data: Uint8Array, longest: number) {
  const task = getDocument({
    data,
    // These options make sure that nothing in a stranger's file is executed or fetched.
    enableXfa: false,
    isEvalSupported: false,
    disableFontFace: false,
    useSystemFonts: true,
    useWasm: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  const file = await task.promise.catch((error: unknown) => {
    throw new UnreadablePicture(
      (error as Error).name === 'PasswordException' ? 'locked' : 'not-a-picture',
    );
  });
  return {
    pages: Math.min(file.numPages, MOST_PAGES),
    close: () => void task.destroy(),
    async draw(number: number): Promise<HTMLCanvasElement> {
      try {
        const page = await file.getPage(number);
        const { width, height } = page.getViewport({ scale: 1 });
        const viewport = page.getViewport({ scale: longest / Math.max(width, height) });
        const canvas = document.createElement('canvas');
        canvas.width = Math.ceil(viewport.width);
        canvas.height = Math.ceil(viewport.height);
        await page.render({ canvas, viewport, background: '#ffffff' }).promise;
        return canvas;
      } catch {
        throw new UnreadablePicture('not-a-picture');
      }
    },
  };
}
