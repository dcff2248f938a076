/** How a page looks that is drawn without the site's own styles. */
export const plainPageStyle = `
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; font: 1.125rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; padding: 2rem 1.25rem; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.2; }
p { margin: 0 0 1rem; }
`;
