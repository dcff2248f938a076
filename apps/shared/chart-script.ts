/** Fetches the chart's script first, because the React component does not report a failure. */
import { useEffect, useState } from 'react';
import { regions, type ChartRegion } from '#server/domain/seat/drawing.ts';

/** A script that takes longer counts as failed. */
const timeoutMs = 20_000;

export function regionOf(name: string): ChartRegion {
  return regions.find((region) => region === name) ?? 'eu';
}

/** Fetches the script without running it, from the same URL as the component will. */
export function useChartScript(scriptUrl: string, region: string): 'loading' | 'ready' | 'failed' {
  const url = scriptUrl.replace('{region}', region);
  const [outcome, setOutcome] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    const link = document.createElement('link');
    link.rel = 'preload';
    link.as = 'script';
    link.href = url;
    const timeout = setTimeout(() => setOutcome('failed'), timeoutMs);
    const settle = (result: 'ready' | 'failed') => () => {
      clearTimeout(timeout);
      setOutcome(result);
    };
    link.addEventListener('load', settle('ready'));
    link.addEventListener('error', settle('failed'));
    document.head.append(link);
    return () => {
      clearTimeout(timeout);
      link.remove();
    };
  }, [url]);
  return outcome;
}
