/** The picture of a figure: lines or bars on a canvas, with a legend and a slider. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Figure, Unit } from '#server/domain/report/figure.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { useTheme } from '#apps/admin/shell/theme.ts';
import { fillOf, looksOf, paletteOf, type Look, type Scheme } from './looks.ts';
import { plotDataOf, type PlotData } from './plot-data.ts';
import { Legend, Reading } from './plot-parts.tsx';
import { plotOf } from './plot-options.ts';
import { paperWidth, usePrinting, useWidth } from './printing.ts';
import styles from './plot.module.css';

export interface PlotProps {
  figure: Figure;
  shape: 'lines' | 'bars' | 'stacked';
  /** Only the columns of this unit are drawn. */
  unit: Unit;
}

export function Plot({ figure, shape, unit }: PlotProps) {
  const data = useMemo(() => plotDataOf(figure, unit), [figure, unit]);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [row, setRow] = useState<number | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const plot = useDrawing(frame, { data, shape, hidden, onRead: setRow });

  function toggle(key: string) {
    const next = hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key];
    // At least one line stays visible.
    if (next.length < data.drawn.length) setHidden(next);
  }
  function read(next: number | null) {
    setRow(next);
    const position = next === null ? undefined : data.positions[next];
    const drawn = requireValue(plot.current, 'picture');
    const at = position === undefined ? -10 : drawn.valToPos(position, 'x');
    drawn.setCursor(data.lies ? { left: 1, top: at } : { left: at, top: 1 });
  }
  return (
    <div className={styles.plot} ref={frame}>
      <Legend data={data} hidden={hidden} onToggle={toggle} />
      <div className={styles.canvas} aria-hidden="true" data-canvas />
      <Reading data={data} hidden={hidden} row={row} onRead={read} />
    </div>
  );
}

interface Drawing {
  data: PlotData;
  shape: PlotProps['shape'];
  hidden: readonly string[];
  onRead: (row: number | null) => void;
}

/** Draws the picture again after each change, which takes a millisecond. */
function useDrawing(frame: RefObject<HTMLDivElement | null>, drawing: Drawing) {
  const { data, shape, hidden, onRead } = drawing;
  const isPrinting = usePrinting();
  const screenWidth = useWidth(frame);
  const width = isPrinting ? paperWidth : screenWidth;
  const scheme = useScheme(isPrinting);
  const plot = useRef<uPlot | null>(null);
  useLayoutEffect(() => {
    const root = requireValue(frame.current, 'frame');
    if (width === 0) return;
    const colorOf = paletteOf(scheme);
    const looks = looksOf(data.drawn, colorOf, { overBars: shape === 'stacked' });
    paintSwatches(root, data, looks, colorOf('bg-raised'));
    const shown = data.drawn
      .map((one, at) => ({ ...one, look: requireValue(looks[at], 'look') }))
      .filter(({ key }) => !hidden.includes(key));
    const height = heightOf(data, shape, shown.length, width);
    const { options, rows } = plotOf({ data, shape, shown, colorOf, width, height, onRead });
    const place = requireValue(root.querySelector<HTMLElement>('[data-canvas]'), 'canvas');
    const drawn = new uPlot(options, rows, place);
    // An empty batch makes uPlot draw immediately, because the print does not wait.
    drawn.batch(() => {});
    plot.current = drawn;
    const { left, width: inside } = drawn.over.getBoundingClientRect();
    const before = left - root.getBoundingClientRect().left;
    root.style.setProperty('--plot-from', `${before}px`);
    root.style.setProperty('--plot-width', `${inside}px`);
    return () => drawn.destroy();
  }, [frame, data, shape, hidden, width, scheme, onRead]);
  return plot;
}

const barRoom = 18;

function heightOf(data: PlotData, shape: PlotProps['shape'], shown: number, width: number): number {
  if (!data.lies) return width < 500 ? 220 : 260;
  const bars = shape === 'stacked' ? 1.3 : Math.min(shown, 4);
  return Math.round(data.positions.length * (bars * barRoom + 12) + 44);
}

/** Paper is always light. */
function useScheme(isPrinting: boolean): Scheme {
  const theme = useTheme();
  const [isDark, setIsDark] = useState(() => dark.matches);
  useEffect(() => {
    const follow = () => setIsDark(dark.matches);
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, []);
  if (isPrinting) return 'light';
  if (theme !== 'auto') return theme;
  return isDark ? 'dark' : 'light';
}

const dark = matchMedia('(prefers-color-scheme: dark)');

const swatch = { width: 26, height: 12 };

function paintSwatches(
  root: HTMLElement,
  { drawn }: PlotData,
  looks: readonly Look[],
  ground: string,
): void {
  for (const [at, canvas] of root.querySelectorAll<HTMLCanvasElement>('[data-swatch]').entries()) {
    const look = requireValue(looks[at], 'look');
    canvas.width = swatch.width * devicePixelRatio;
    canvas.height = swatch.height * devicePixelRatio;
    const to = requireValue(canvas.getContext('2d'), 'pen');
    if (drawn[at]?.isLine !== true) {
      to.fillStyle = fillOf(look, ground, devicePixelRatio);
      to.fillRect(0, 0, canvas.width, canvas.height);
      continue;
    }
    to.scale(devicePixelRatio, devicePixelRatio);
    to.strokeStyle = look.color;
    to.lineWidth = look.width;
    to.setLineDash(look.dash);
    to.moveTo(0, swatch.height / 2);
    to.lineTo(swatch.width, swatch.height / 2);
    to.stroke();
  }
}
