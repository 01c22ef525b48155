/** The address of the view that is shown. */
export const route = $state({ path: location.pathname, query: location.search })

function read() {
  route.path = location.pathname
  route.query = location.search
}

addEventListener('popstate', read)

export function go(address: string, replace = false) {
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  read()
}

/** Lets links of the page change the view without loading it again. */
export function follow(e: MouseEvent) {
  const link = (e.target as Element).closest?.('a[href^="/"]')
  if (!link || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return
  e.preventDefault()
  go(link.getAttribute('href')!)
}
