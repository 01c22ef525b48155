/** Counts the changes between light and dark: what is drawn on a canvas is drawn again. */
export const scheme = $state({ changes: 0 })

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => scheme.changes++)
