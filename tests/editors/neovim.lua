-- Neovim as its user has it after the lines of docs/editors.md for version 0.7 to 0.10, without plugins. Writes what it sees to the file of LANEWISE_OUT.
-- The lines of the page come first: the test puts them here.
local function wait(what, ready)
  if not vim.wait(15000, ready, 20) then error("no " .. what) end
end

local out = {}
vim.cmd("edit " .. vim.env.LANEWISE_SOURCE)
local buffer = vim.api.nvim_get_current_buf()
out.filetype = vim.bo.filetype
wait("client", function() return #vim.lsp.buf_get_clients(buffer) > 0 or next(vim.lsp.buf_get_clients(buffer)) ~= nil end)
wait("diagnostics", function() return #vim.diagnostic.get(buffer) > 0 end)
out.diagnostics = {}
for _, each in ipairs(vim.diagnostic.get(buffer)) do
  table.insert(out.diagnostics, { line = each.lnum, column = each.col, last = each.end_col, code = each.code, message = each.message })
end

local function ask(method, parameters)
  for _, answer in pairs(vim.lsp.buf_request_sync(buffer, method, parameters, 15000) or {}) do
    if answer.result then return answer.result end
  end
end

local function at(text)
  local row, column = 0, 0
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local start = line:find(text, 1, true)
    if start and row == 0 then row, column = number, start - 1 end
  end
  vim.api.nvim_win_set_cursor(0, { row, column })
  return vim.lsp.util.make_position_params(0, "utf-16")
end

local wrong = out.diagnostics[1]
local actions = ask("textDocument/codeAction", {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
  range = { start = { line = wrong.line, character = wrong.column }, ["end"] = { line = wrong.line, character = wrong.last } },
  context = { diagnostics = {} },
})
out.actions = {}
for _, action in ipairs(actions or {}) do
  table.insert(out.actions, action.title)
  if action.title == "Change 'mull' to 'mul'" then vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
end
wait("clean text, but " .. vim.inspect(actions), function() return #vim.diagnostic.get(buffer) == 0 end)
local hover = ask("textDocument/hover", at("mul r0"))
out.hover = hover and hover.contents.value
local name = at(vim.env.LANEWISE_NAME)
name.newName = vim.env.LANEWISE_OTHER
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", name), "utf-16")
wait("renamed text", function() return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n"):find(vim.env.LANEWISE_OTHER, 1, true) end)
vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { "        ; a comment" })
vim.wait(200, function() return false end)
local edits = ask("textDocument/formatting", vim.lsp.util.make_formatting_params({ tabSize = 4, insertSpaces = true }))
vim.lsp.util.apply_text_edits(edits or {}, buffer, "utf-16")
local symbols = ask("textDocument/documentSymbol", { textDocument = vim.lsp.util.make_text_document_params(buffer) })
out.symbols = {}
for _, symbol in ipairs(symbols or {}) do table.insert(out.symbols, symbol.name) end
if (vim.env.LANEWISE_UNNEEDED or "") ~= "" then
  vim.api.nvim_buf_set_lines(buffer, at("mul r0").position.line + 1, at("mul r0").position.line + 1, false, { vim.env.LANEWISE_UNNEEDED })
  wait("finding of a statement without an effect", function() return #vim.diagnostic.get(buffer) > 0 end)
  local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 0, character = 0 } }
  local document = vim.lsp.util.make_text_document_params(buffer)
  for _, action in ipairs(ask("textDocument/codeAction", { textDocument = document, range = whole, context = { diagnostics = {} } }) or {}) do
    if action.title:find("Optimise: ", 1, true) then
      out.optimise = action.title
      ask("workspace/executeCommand", action.command)
    end
  end
  wait("shorter text", function() return not table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n"):find(vim.env.LANEWISE_UNNEEDED, 1, true) end)
end
out.text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
local file = io.open(vim.env.LANEWISE_OUT, "w")
file:write(vim.fn.json_encode(out))
file:close()
vim.cmd("qa!")
